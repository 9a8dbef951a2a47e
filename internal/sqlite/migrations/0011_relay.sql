-- The name of the relay's profile that reads X; '' on other networks.
ALTER TABLE connections ADD COLUMN profile TEXT NOT NULL DEFAULT '';
