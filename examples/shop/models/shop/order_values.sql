MODEL (
  name shop.order_values,
  kind EMBEDDED,
  owner data_platform,
  description 'Order lines with what they brought in; written into every query that reads it',
  tags (staging)
);

SELECT
  orders.order_id,
  orders.ordered_on,
  orders.customer_id,
  orders.item_id,
  orders.quantity,
  ROUND(orders.quantity * items.price * (1 - orders.discount_percent / 100), 2) AS revenue
FROM shop.stg_orders AS orders
JOIN shop.stg_items_base AS items
  ON items.item_id = orders.item_id
