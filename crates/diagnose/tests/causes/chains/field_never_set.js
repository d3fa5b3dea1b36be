// origin: 4 | undefined
class Cart {
  items = [];
  owner;

  greet() {
    return "Cart of " + this.owner.name;
  }
}

const cart = new Cart();
console.log(cart.greet());
