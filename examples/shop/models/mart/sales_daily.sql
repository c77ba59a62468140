MODEL (
  name mart.sales_daily,
  kind FULL,
  owner analytics,
  description 'One row a day: what was sold and what it brought in',
  tags (mart),
  column_descriptions (
    ordered_on = 'Day of the order, in the time zone of the shop',
    revenue = 'After discounts, in euro'
  ),
  grain ordered_on,
  physical_properties (
    indexes = ('UNIQUE (ordered_on)')
  )
);

SELECT
  ordered_on,
  COUNT(DISTINCT order_id) AS orders,
  SUM(quantity) AS pieces,
  SUM(revenue) AS revenue
FROM shop.order_values
GROUP BY ordered_on
