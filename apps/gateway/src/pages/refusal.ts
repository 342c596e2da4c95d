import type { ErrorCode } from '@postern/protocol'
import { errors } from '@postern/protocol'

/** The static page that stands in for the modal: readable by itself, and by the SDK through `refusal.js`. */
export function renderRefusal(code: ErrorCode, origin: string | null): string {
  const { message, wayOut } = errors[code]
  const asked = origin === null ? '' : `\n      <p>The page that asked: <code>${escapeHtml(origin)}</code></p>`
  return `<!doctype html>
<html lang="en" data-code="${escapeHtml(code)}" data-message="${escapeHtml(message)}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <title>${escapeHtml(message)}</title>
    <link rel="stylesheet" href="/refusal.css" />
    <script src="/refusal.js" defer></script>
  </head>
  <body>
    <main role="alert">
      <h1>${escapeHtml(message)}</h1>
      <p>${escapeHtml(wayOut)}</p>${asked}
    </main>
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

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}
