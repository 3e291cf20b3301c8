create table file_contents (digest text primary key, content bytea not null);
