import { attempt, type Deed, type Outcome } from '../dapp/outcome'
import { byId, make } from './dom'

function draw(box: HTMLElement, outcome: Outcome): void {
  box.dataset.kind = outcome.kind
  if (outcome.kind === 'idle') {
    box.replaceChildren()
    return
  }
  const lines = outcome.lines.map(({ label, value }) =>
    make('div', {}, make('dt', { textContent: label }), make('dd', { textContent: value })),
  )
  box.replaceChildren(make('p', { textContent: outcome.text }), ...(lines.length > 0 ? [make('dl', {}, ...lines)] : []))
}

export function outcomeBox(id: string): (waiting: string, deed: Deed) => void {
  const box = byId(id, HTMLElement)
  let busy = false
  return (waiting, deed) => {
    if (busy) return
    busy = true
    void attempt((outcome) => draw(box, outcome), waiting, deed).finally(() => {
      busy = false
    })
  }
}
