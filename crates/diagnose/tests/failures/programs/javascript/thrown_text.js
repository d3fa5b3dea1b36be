// expect: Thrown | 2 | raised
throw "boom";
