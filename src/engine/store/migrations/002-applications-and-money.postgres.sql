create function charges_append_only() returns trigger language plpgsql
  as 'begin raise exception ''charges: rows are never changed''; end';
create trigger charges_append_only before update on charges
  for each row execute function charges_append_only();
