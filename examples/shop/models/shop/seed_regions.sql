MODEL (
  name shop.seed_regions,
  kind SEED (
    path '../../seeds/regions.csv'
  ),
  owner logistics,
  description 'Sales regions and the warehouse that serves each',
  tags (source),
  columns (
    region_code TEXT,
    name TEXT,
    warehouse TEXT
  ),
  grain region_code
);
