// expect: ReferenceError | 3 | name
type Id = number;
const id: Id = ident;
