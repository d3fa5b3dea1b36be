// origin: 9 | -5
function withdraw(account, amount) {
  if (amount <= 0) {
    throw new RangeError("amount must be positive");
  }
  account.balance -= amount;
}

const input = { amount: -5 };
withdraw({ balance: 10 }, input.amount);
