// expect: TypeError | 3 | attribute
const words = ["a", "b"];
words.pushAll("c");
