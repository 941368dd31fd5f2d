# Reads all datasets in pages into a data frame.
#
#   install.packages("httr2")
#   ORIGIN=https://data.example.org KEY=... Rscript harvest.R
library(httr2)

pages <- request(Sys.getenv("ORIGIN")) |>
  req_url_path_append("api", "datasets") |>
  req_url_query(limit = 1000, with = "updated_at") |>
  req_headers("X-API-Key" = Sys.getenv("KEY"), .redact = "X-API-Key") |>
  req_retry(max_tries = 5) |> # waits for Retry-After after 429 and 503
  req_perform_iterative(next_req = iterate_with_link_url(rel = "next"), max_reqs = Inf)

datasets <- resps_data(pages, \(page) resp_body_json(page)$items)
text_of <- \(member) vapply(datasets, \(each) if (is.null(each[[member]])) NA_character_ else each[[member]], "")
print(data.frame(
  external_id = text_of("external_id"),
  name = text_of("name"),
  updated_at = text_of("updated_at")
))
