MODEL (
  name shop.seed_orders,
  kind SEED (
    path '../../seeds/orders.csv'
  ),
  owner shop_backend,
  description 'Order lines of one summer; one line is one item of one order',
  tags (source),
  columns (
    order_id INT,
    ordered_on DATE,
    customer_id INT,
    item_id INT,
    quantity INT,
    discount_percent NUMERIC(5, 2),
    status TEXT
  ),
  grain order_id
);
