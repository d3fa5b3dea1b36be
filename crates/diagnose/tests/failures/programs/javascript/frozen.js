// expect: TypeError | 4 | type
"use strict";
const point = Object.freeze({ x: 1 });
point.x = 2;
