alter table files add column sender text;
create index files_of_sender on files (sender, bytes, uploaded_at) where sender is not null;
