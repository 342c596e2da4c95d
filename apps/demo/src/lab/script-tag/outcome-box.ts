import { type Action, attempt, type Outcome } from '../../dapp/outcome'
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

export function outcomeBox(id: string): (waiting: string, action: Action) => void {
  const box = byId(id, HTMLElement)
  let busy = false
  return (waiting, action) => {
    if (busy) return
    busy = true
    void attempt((outcome) => draw(box, outcome), waiting, action).finally(() => {
      busy = false
    })
  }
}
