// origin: 15 | null
class Order {
  private total = 0;
  constructor(private readonly customer: { name: string } | null, public items: string[] = []) {}

  label(): string {
    return (this.customer as { name: string }).name.trim();
  }
}

function read<T>(value: T): T {
  return value;
}

const data = { id: 7, customer: null };
const order = new Order(read(data.customer));
console.log(order.label());
