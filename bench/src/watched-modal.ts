/** Tells the surrounding page when its first wallet row was painted; otherwise unchanged. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A row counts once it has a box, is not hidden, and its frame was presented. `benchRowAt`: epoch ms. */
const watch = `
const look = () => {
  const row = document.querySelector('[data-row]')
  const seen = row !== null && row.getBoundingClientRect().height > 0 &&
    row.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  if (!seen) return void requestAnimationFrame(look)
  const painted = new MessageChannel()
  // '*': the parent page belongs to the measurement, and the message is a time.
  painted.port1.onmessage = () => {
    const benchRowAt = performance.timeOrigin + performance.now()
    const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    parent.postMessage({ benchRowAt, origin: performance.timeOrigin, entries: entries.map((entry) => entry.toJSON()) }, '*')
  }
  painted.port2.postMessage(null)
}
look()`

/** The one file that the modal would not have. */
export const watchPath = '/assets/bench-watch.js'

export type WatchedModal = { readonly folder: string; remove(): Promise<void> }

export async function watchModal(build = 'apps/modal-host/dist'): Promise<WatchedModal> {
  const folder = await mkdtemp(path.join(tmpdir(), 'postern-bench-modal-'))
  await cp(build, folder, { recursive: true })
  await writeFile(path.join(folder, watchPath), watch)
  const index = path.join(folder, 'index.html')
  const html = await readFile(index, 'utf8')
  await writeFile(index, html.replace('</head>', `<script async src="${watchPath}"></script></head>`))
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}
