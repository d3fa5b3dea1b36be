// origin: 3 | undefined
function port() {
  return process.env.SHOP_PORT.trim();
}

console.log(port());
