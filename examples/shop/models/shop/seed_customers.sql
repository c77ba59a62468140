MODEL (
  name shop.seed_customers,
  kind SEED (
    path '../../seeds/customers.csv'
  ),
  owner shop_backend,
  description 'Customers with an account',
  tags (source, personal),
  columns (
    customer_id INT,
    name TEXT,
    region_code TEXT,
    signed_up_on DATE
  ),
  grain customer_id
);
