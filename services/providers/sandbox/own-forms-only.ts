import type { RequestHandler } from "express";

/** The page of another site could post a form to this machine; a script of it could not send JSON. */
export const ownFormsOnly: RequestHandler = (request, response, next) => {
  if (request.is("urlencoded") && request.get("sec-fetch-site") !== "same-origin") {
    response.status(403).json({ issues: "Forms are taken from the sandbox's own pages only." });
    return;
  }
  next();
};
