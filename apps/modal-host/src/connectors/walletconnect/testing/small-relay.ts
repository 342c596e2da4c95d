import { type WebSocket, WebSocketServer } from 'ws'

type Message = { topic: string; message: string; tag: number; publishedAt: number }
export async function startRelay({ port = 0 }: { port?: number } = {}) {
  let mailbox: Message[] = []
  const subs = new Map<WebSocket, Set<string>>()
  let server: WebSocketServer | null = null
  let next = 1
  const urls: string[] = []
  function push(socket: WebSocket, m: Message) {
    socket.send(
      JSON.stringify({
        id: Date.now() * 1000 + next++,
        jsonrpc: '2.0',
        method: 'irn_subscription',
        params: { id: 'sub' + m.topic.slice(0, 8), data: m },
      }),
    )
  }
  function publish(m: Message, from?: WebSocket) {
    mailbox.push(m)
    for (const [socket, topics] of subs) if (socket !== from && topics.has(m.topic)) push(socket, m)
  }
  function subscribe(socket: WebSocket, topic: string, pushOld = true) {
    const mine = subs.get(socket)
    if (!mine || mine.has(topic)) return
    mine.add(topic)
    if (pushOld) for (const m of mailbox) if (m.topic === topic) push(socket, m)
  }
  function listen(p: number) {
    return new Promise<number>((resolve) => {
      const s = new WebSocketServer({ port: p, host: '127.0.0.1' }, () => {
        const a = s.address()
        resolve(typeof a === 'object' && a ? a.port : p)
      })
      s.on('connection', (socket, request) => {
        urls.push(request.url ?? '')
        subs.set(socket, new Set())
        socket.on('close', () => subs.delete(socket))
        socket.on('message', (data) => {
          const r = JSON.parse(String(data))
          if (!r.method) return
          const p = r.params
          const now = Date.now()
          let result: unknown = true
          if (r.method === 'irn_publish')
            publish({ topic: p.topic, message: p.message, tag: p.tag, publishedAt: now }, socket)
          else if (r.method === 'irn_subscribe') {
            subscribe(socket, p.topic)
            result = 'sub' + p.topic.slice(0, 8)
          } else if (r.method === 'irn_batchSubscribe') {
            for (const t of p.topics) subscribe(socket, t)
            result = p.topics.map((t: string) => 'sub' + t.slice(0, 8))
          } else if (r.method === 'irn_unsubscribe') subs.get(socket)?.delete(p.topic)
          else if (r.method === 'irn_batchFetchMessages')
            result = { messages: mailbox.filter((m) => p.topics.includes(m.topic)), hasMore: false }
          else if (r.method === 'wc_proposeSession') {
            subscribe(socket, p.pairingTopic, false)
            publish({ topic: p.pairingTopic, message: p.sessionProposal, tag: 1100, publishedAt: now }, socket)
          } else if (r.method === 'wc_approveSession') {
            subscribe(socket, p.sessionTopic, false)
            publish({ topic: p.pairingTopic, message: p.sessionProposalResponse, tag: 1101, publishedAt: now }, socket)
            publish({ topic: p.sessionTopic, message: p.sessionSettlementRequest, tag: 1102, publishedAt: now }, socket)
          }
          socket.send(JSON.stringify({ id: r.id, jsonrpc: '2.0', result }))
        })
      })
      server = s
    })
  }
  const actual = await listen(port)
  const drop = () =>
    new Promise<void>((resolve) => {
      for (const socket of subs.keys()) socket.terminate()
      if (server) server.close(() => resolve())
      else resolve()
      server = null
    })
  return {
    url: `ws://127.0.0.1:${actual}`,
    port: actual,
    urls,
    sockets: () => subs.size,
    pause: drop,
    resume: () => listen(actual),
    stop: async () => {
      await drop()
      mailbox = []
    },
  }
}
