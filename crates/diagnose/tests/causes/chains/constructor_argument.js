// origin: 12 | null
class Order {
  constructor(customer) {
    this.customer = customer;
  }
  label() {
    return this.customer.name.trim();
  }
}

function read() {
  return { id: 7, customer: null };
}

const data = read();
const order = new Order(data.customer);
console.log(order.label());
