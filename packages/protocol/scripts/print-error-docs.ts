/**
 * Prints `docs/reference/errors.md`, the page that every error links to, from the catalogue.
 *
 * Run: `npm run --silent error-docs -w @postern/protocol > docs/reference/errors.md`.
 */
import { errors } from '../src/errors'

const sections = Object.entries(errors).map(([code, { message, rpc, alert, wayOut }]) =>
  [
    `## ${code}`,
    '',
    `**${message}**${rpc === undefined ? '' : ` (\`${rpc}\`)`}`,
    ...(alert === undefined ? [] : ['', `Shown as an alert, “${alert.title}”: ${alert.text}`]),
    '',
    wayOut,
  ].join('\n'),
)

console.log(
  [
    '# Errors',
    'Each error has a stable code, the EIP-1193 or JSON-RPC number where there is one, and a way out. Words in braces are filled in. Printed from the catalogue in `packages/protocol/src/errors.ts`.',
    ...sections,
  ].join('\n\n'),
)
