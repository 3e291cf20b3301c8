alter table partner_keys add column name text;
alter table partner_keys add column last_used_at text;
