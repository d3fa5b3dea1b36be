// expect: SyntaxError | 2 | import
import { nothing } from "fs";
console.log(nothing);
