// expect: Error | 2 | import
const left = require("no-such-module-xyz");
