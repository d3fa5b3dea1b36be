// expect: TypeError | 3 | type
class Dog {}
Dog();
