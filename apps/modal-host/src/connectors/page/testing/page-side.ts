import type { AskOptions, Connector, ConnectorEvent, WalletEvent, WalletRequest } from '../../connector'

export function pageSide(answer: (request: WalletRequest) => unknown) {
  /** In ms, by the timers that the connector has set: each ends at once. */
  const passed: number[] = []
  const asked: (WalletRequest & AskOptions)[] = []
  const listeners = new Set<(event: WalletEvent) => void>()
  return {
    asked,
    passed,
    clock: {
      now: () => 0,
      after(milliseconds: number, task: () => void) {
        passed.push(milliseconds)
        queueMicrotask(task)
        return () => {}
      },
    },
    listeners,
    methods: () => asked.map(({ method }) => method),
    async ask(request: WalletRequest, options?: AskOptions): Promise<unknown> {
      asked.push({ ...request, ...options })
      return answer(request)
    },
    onWalletEvent(listener: (event: WalletEvent) => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    emit(event: WalletEvent) {
      for (const listener of [...listeners]) listener(event)
    },
  }
}

export function heardFrom(connector: Pick<Connector, 'listen'>): ConnectorEvent[] {
  const events: ConnectorEvent[] = []
  connector.listen((event) => events.push(event))
  return events
}
