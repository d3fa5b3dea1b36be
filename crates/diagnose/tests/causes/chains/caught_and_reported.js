// origin: 8 | {title:
function render(page) {
  return page.body.trim();
}

function main() {
  try {
    return render({ title: "x" });
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
}

main();
