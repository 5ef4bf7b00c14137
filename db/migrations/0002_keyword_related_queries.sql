ALTER TABLE `keywords` ADD `search_interest_trends` text;--> statement-breakpoint
ALTER TABLE `keywords` ADD `related_queries` text;