MODEL (
  name shop.stg_orders,
  kind VIEW,
  owner data_platform,
  description 'Order lines that were paid for',
  tags (staging),
  grain order_id
);

SELECT
  order_id,
  ordered_on,
  customer_id,
  item_id,
  quantity,
  COALESCE(discount_percent, 0) AS discount_percent
FROM shop.seed_orders
WHERE status = 'paid'
