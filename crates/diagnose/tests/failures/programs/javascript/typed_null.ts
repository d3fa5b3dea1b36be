// expect: TypeError | 5 | null
interface User { name?: { first: string } }
const user: User = {};
function greet(u: User): string {
  return u.name!.first;
}
greet(user);
