/**
 * A socket for the command line, since only one process may open the embedded database. Only the owner of the data
 * folder can use it.
 */
import { chmod, rm } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import * as z from 'zod/mini'
import { isCode } from '../platform/error-code'
import { Project, ProjectChanges, ProjectInput } from './project'
import type { ProjectStore } from './store'

const Call = z.discriminatedUnion('method', [
  z.strictObject({ method: z.literal('find'), id: z.string() }),
  z.strictObject({ method: z.literal('list') }),
  z.strictObject({ method: z.literal('add'), input: ProjectInput }),
  z.strictObject({ method: z.literal('update'), id: z.string(), changes: ProjectChanges }),
  z.strictObject({ method: z.literal('remove'), id: z.string() }),
])
type Call = z.infer<typeof Call>

const maxBytes = 1_048_576
/** In bytes (sockaddr_un). */
const maxPathLength = 103

/** @returns stops the service; null if the path is too long. */
export async function serveControl(store: ProjectStore, socketPath: string): Promise<(() => Promise<void>) | null> {
  if (Buffer.byteLength(socketPath) > maxPathLength) return null
  // Stale: this process has the database's lock.
  await rm(socketPath, { force: true })
  const server = createServer(async (incoming, outgoing) => {
    try {
      const chunks: Buffer[] = []
      let size = 0
      for await (const chunk of incoming) {
        size += chunk.length
        if (size > maxBytes) throw new Error('The request is too long')
        chunks.push(chunk)
      }
      const call = Call.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')))
      outgoing.end(JSON.stringify(await perform(store, call)))
    } catch (error) {
      outgoing.statusCode = 400
      outgoing.end(error instanceof Error ? error.message : 'failed')
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(socketPath, resolve)
  })
  await chmod(socketPath, 0o600)
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
}

/** Null if no gateway runs. */
export async function connectControl(socketPath: string): Promise<ProjectStore | null> {
  const ask = <T>(schema: z.ZodMiniType<T>, call: Call) =>
    send(socketPath, call).then((text) => schema.parse(JSON.parse(text)))
  const store: ProjectStore = {
    find: (id) => ask(z.nullable(Project), { method: 'find', id }),
    list: () => ask(z.array(Project), { method: 'list' }),
    add: (input) => ask(z.nullable(Project), { method: 'add', input }),
    update: (id, changes) => ask(z.nullable(Project), { method: 'update', id, changes }),
    remove: (id) => ask(z.boolean(), { method: 'remove', id }),
  }
  if (Buffer.byteLength(socketPath) > maxPathLength) return null
  try {
    await store.list()
    return store
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ECONNREFUSED')) return null
    throw error
  }
}

function perform(store: ProjectStore, call: Call): Promise<unknown> {
  switch (call.method) {
    case 'find':
      return store.find(call.id)
    case 'list':
      return store.list()
    case 'add':
      return store.add(call.input)
    case 'update':
      return store.update(call.id, call.changes)
    case 'remove':
      return store.remove(call.id)
  }
}

function send(socketPath: string, call: Call): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { socketPath, method: 'POST', path: '/', agent: false, timeout: 10_000 },
      async (incoming) => {
        let text = ''
        incoming.setEncoding('utf8')
        try {
          for await (const chunk of incoming) text += chunk
        } catch (error) {
          reject(error)
          return
        }
        if (incoming.statusCode === 200) resolve(text)
        else reject(new Error(text))
      },
    )
    outgoing.once('timeout', () => outgoing.destroy(new Error('The gateway did not answer')))
    outgoing.once('error', reject)
    outgoing.end(JSON.stringify(call))
  })
}
