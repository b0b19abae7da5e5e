// Styles and scripts of a screen: fetched once, styles apply while a screen that names them is shown.

const links = () => [...document.head.querySelectorAll("link[rel=stylesheet]")];
const stylesOf = (page) => [...page.querySelectorAll("link[rel=stylesheet]")].map((link) => link.getAttribute("href"));
const scriptsOf = (page) => [...page.querySelectorAll("script[type=module][src]")].map((script) => script.getAttribute("src"));
const missing = (addresses, selector, name) => {
  const there = new Set([...document.querySelectorAll(selector)].map((node) => node.getAttribute(name)));
  return addresses.filter((address) => !there.has(address));
};

function add(tag, values) {
  return new Promise((resolve, reject) => {
    const node = Object.assign(document.createElement(tag), values);
    node.addEventListener("load", () => resolve(node), { once: true });
    node.addEventListener("error", () => {
      node.remove();
      reject(new Error(node.href || node.src));
    }, { once: true });
    document.head.append(node);
  });
}

/** Fetches what a screen needs, at the same time; scripts run later, styles wait until the screen is there. */
export async function fetchAssets({ styles, scripts }) {
  for (const href of missing(scripts, "script[src]", "src")) preload(href);
  await Promise.all(missing(styles, "link[rel=stylesheet]", "href").map((href) =>
    add("link", { rel: "stylesheet", href }).then((link) => { link.sheet.disabled = true; })));
}

function preload(href) {
  if (!missing([href], "link[rel=modulepreload]", "href").length) return;
  document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
}

export function assetsOf(page) {
  return { styles: stylesOf(page), scripts: scriptsOf(page) };
}

/** The styles that apply now. */
export function stylesInUse() {
  return links().filter((link) => !link.sheet?.disabled).map((link) => link.getAttribute("href"));
}

export function useStyles(styles) {
  for (const link of links()) if (link.sheet) link.sheet.disabled = !styles.includes(link.getAttribute("href"));
}

/** Each module runs once in the life of the document; what it does for a screen it does on each of them. */
export async function runScripts({ scripts }) {
  await Promise.all(missing(scripts, "script[src]", "src").map((src) => add("script", { type: "module", src })));
}
