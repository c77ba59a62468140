MODEL (
  name mart.sales_by_item,
  kind VIEW (
    materialized true
  ),
  owner analytics,
  description 'What each item on sale has brought in so far',
  tags (mart),
  grain item_id,
  physical_properties (
    indexes = ('UNIQUE (item_id)', '(category) INCLUDE (revenue)')
  )
);

SELECT
  items.item_id,
  items.name,
  items.category,
  COALESCE(SUM(sold.quantity), 0) AS pieces,
  COALESCE(SUM(sold.revenue), 0) AS revenue
FROM shop.stg_items AS items
LEFT JOIN shop.order_values AS sold
  ON sold.item_id = items.item_id
GROUP BY items.item_id, items.name, items.category
