MODEL (
  name mart.customer_value,
  kind FULL,
  owner analytics,
  description 'What each customer has spent, and when last',
  tags (mart, personal),
  grain customer_id,
  physical_properties (
    indexes = ('UNIQUE (customer_id)', '(region_code)')
  )
);

SELECT
  customers.customer_id,
  customers.name,
  customers.region_code,
  COUNT(sold.order_id) AS orders,
  COALESCE(SUM(sold.revenue), 0) AS revenue,
  MAX(sold.ordered_on) AS last_ordered_on
FROM shop.stg_customers AS customers
LEFT JOIN shop.order_values AS sold
  ON sold.customer_id = customers.customer_id
GROUP BY customers.customer_id, customers.name, customers.region_code
