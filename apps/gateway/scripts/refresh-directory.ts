/**
 * Refreshes the wallet directory from a hosted one. Usage:
 *
 *     DIRECTORY_URL=https://directory.example.com DIRECTORY_PROJECT_ID=… npm run directory:refresh -w @postern/gateway
 *
 * Writes to POSTERN_DIRECTORY. Default: the gateway's own data. Restart the gateway afterwards.
 */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { RefreshRefused, refreshDirectory } from '../src/site/directory/refresh'

const { DIRECTORY_URL, DIRECTORY_PROJECT_ID, POSTERN_DIRECTORY } = process.env
if (DIRECTORY_URL === undefined || !/^https?:\/\//.test(DIRECTORY_URL) || !URL.canParse(DIRECTORY_URL)) {
  console.error('Set DIRECTORY_URL to the http(s) address of a directory that answers /getWallets.')
  process.exit(2)
}
const shipped = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../data')
try {
  const report = await refreshDirectory({
    folder: path.resolve(POSTERN_DIRECTORY || shipped),
    upstream: DIRECTORY_URL,
    parameters: { projectId: DIRECTORY_PROJECT_ID ?? '', st: 'postern', sv: 'gateway' },
    fetch,
  })
  console.log(
    `${report.wallets} wallets, ${report.icons} pictures; ${report.leftOut} entries left out, ${report.withoutIcon} without a picture.`,
  )
} catch (error) {
  if (!(error instanceof RefreshRefused)) throw error
  console.error(`The directory stays as it is. ${error.message}.`)
  process.exit(1)
}
