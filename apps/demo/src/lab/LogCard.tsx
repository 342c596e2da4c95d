import type { LogEntry } from '../dapp/provider-log'

export function LogCard({ entries }: { readonly entries: readonly LogEntry[] }) {
  return (
    <section className="card wide" aria-labelledby="log-title">
      <h2 id="log-title">Provider events</h2>
      {entries.length === 0 && <p>Events of the EIP-1193 provider, newest first.</p>}
      <ol className="log">
        {entries.map(({ key, at, event, data }) => (
          <li key={key}>
            <time>{at}</time>
            <b>{event}</b>
            <span title={data}>{data}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
