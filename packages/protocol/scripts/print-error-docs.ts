/**
 * Prints `docs/reference/errors.md`, to which every error links.
 *
 * Run: `npm run --silent error-docs -w @postern/protocol > docs/reference/errors.md`.
 */
import { errors, isErrorCode } from '../src/errors'
import { fixes } from '../src/errors/fixes'

const sections = Object.keys(errors)
  .filter(isErrorCode)
  .map((code) => {
    const { message, rpc, alert } = errors[code]
    return [
      `## ${code}`,
      '',
      `**${message}**${rpc === undefined ? '' : ` (\`${rpc}\`)`}`,
      ...(alert === undefined ? [] : ['', `Shown as an alert, “${alert.title}”: ${alert.text}`]),
      '',
      fixes[code],
    ].join('\n')
  })

console.log(
  [
    '# Errors',
    'Each error has a stable code, an EIP-1193 or JSON-RPC number if there is one, and a fix. Words in braces are placeholders. This page is printed from the catalogue in `packages/protocol/src/errors.ts`.',
    ...sections,
  ].join('\n\n'),
)
