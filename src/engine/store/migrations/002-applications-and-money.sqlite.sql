create trigger charges_append_only before update on charges
  begin select raise(abort, 'charges: rows are never changed'); end;
