// origin: 12 | 'prod'
function urlOf(mode) {
  let url;
  if (mode === "dev") {
    url = "http://localhost";
  } else if (mode === "test") {
    url = "http://test";
  }
  return url.replace("http", "https");
}

const mode = "prod";
console.log(urlOf(mode));
