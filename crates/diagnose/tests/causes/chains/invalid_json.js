// origin: 3 | ''
function body() {
  return "";
}

const data = JSON.parse(body());
console.log(data.name);
