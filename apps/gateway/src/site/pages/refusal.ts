import type { ErrorCode } from '@postern/protocol'
import { errors } from '@postern/protocol'
import { fixes } from '@postern/protocol/errors/fixes'
import { escapeHtml, renderPage } from '../../platform/html/page'

export function renderRefusal(code: ErrorCode, origin: string | null): string {
  const { message } = errors[code]
  const originLine = origin === null ? '' : `\n      <p>Requested from: <code>${escapeHtml(origin)}</code></p>`
  return renderPage({
    title: message,
    data: { code, message, fix: fixes[code] },
    script: 'refusal.js',
    body: `<main role="alert">
      <h1>${escapeHtml(message)}</h1>
      <p>${escapeHtml(fixes[code])}</p>${originLine}
    </main>`,
  })
}
