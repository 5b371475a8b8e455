// The first visit: fetches the service worker, and shows the page that was asked for as soon as it
// can answer.
"use strict";
(async () => {
  const said = document.getElementById("said");
  if (!("serviceWorker" in navigator)) {
    said.textContent =
      "This page needs a browser with service workers, and to be served by https or from this machine.";
    return;
  }
  try {
    // This file lies beside the worker.
    await navigator.serviceWorker.register(
      new URL(
        "sw.js",
        document.currentScript ? document.currentScript.src : document.getElementById("boot").src,
      ),
    );
    if (!navigator.serviceWorker.controller)
      await new Promise(done =>
        navigator.serviceWorker.addEventListener("controllerchange", done, { once: true }),
      );
    location.reload();
  } catch (error) {
    said.textContent = `The engines could not be fetched: ${error.message}`;
  }
})();
