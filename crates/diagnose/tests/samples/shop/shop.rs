fn total(count: i32, prices: &[i32]) -> i32 {
    let mut sum = 0;
    for price in prices {
        sum += price / count;
    }
    sum
}

fn main() {
    println!("open");
    for count in [3, 2, 1, 0] {
        println!("{}", total(count, &[6, 12]));
    }
}
