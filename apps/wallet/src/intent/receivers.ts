import type { IntentStep } from './intent'

/** The addresses that get something by a step, or labels in their place; never the user's own change. */
export function receiversOf(step: IntentStep): readonly string[] {
  switch (step.kind) {
    case 'transfer':
      return [step.to]
    case 'swap':
      return [step.recipient]
    case 'order':
      return step.gets.map(({ to }) => to)
    case 'call':
      return step.receivers ?? []
    case 'outputs':
      return step.outputs.flatMap(({ to, own }) => (own ? [] : [to]))
    default:
      return []
  }
}
