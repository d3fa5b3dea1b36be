// origin: 14 | -5
abstract class Account {
  constructor(protected balance: number) {}
  abstract withdraw(amount: number): number;
}
class Simple extends Account {
  override withdraw(amount: number): number {
    if (amount <= 0) {
      throw new RangeError(`amount must be positive`);
    }
    return (this.balance -= amount);
  }
}
const input: Record<string, number> = { amount: -5 };
console.log(new Simple(10).withdraw(input["amount"] as number));
