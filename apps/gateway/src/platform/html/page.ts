/**
 * @param data root data attributes, without `data-`. @param styles beside `page.css`, and `script`: files of `static/`.
 * @param body HTML; escape untrusted parts with {@link escapeHtml}.
 */
export function renderPage({
  title,
  data = {},
  styles = [],
  script,
  body,
}: {
  readonly title: string
  readonly data?: Readonly<Record<string, string>>
  readonly styles?: readonly string[]
  readonly script?: string
  readonly body: string
}): string {
  const attributes = Object.entries(data).map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`)
  const links = ['page.css', ...styles].map((name) => `\n    <link rel="stylesheet" href="/${name}" />`)
  return `<!doctype html>
<html lang="en"${attributes.join('')}>
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <title>${escapeHtml(title)}</title>${links.join('')}${script === undefined ? '' : `\n    <script src="/${script}" defer></script>`}
  </head>
  <body>
    ${body}
  </body>
</html>
`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** For text and double-quoted attribute values. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}
