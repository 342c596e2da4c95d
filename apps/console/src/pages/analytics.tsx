import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import * as z from 'zod/mini'
import { Result, Section, Table, Title } from '../components'
import { Analytics, Project } from '../schemas'
import { useSession } from '../session'

export function AnalyticsPage() {
  const { api } = useSession()
  const id = useId()
  const [chosen, setChosen] = useState('')
  const [days, setDays] = useState(30)
  const projects = useQuery({ queryKey: ['projects'], queryFn: () => api.get('/projects', z.array(Project)) })
  const projectId = chosen || (projects.data?.[0]?.id ?? '')
  const summary = useQuery({
    queryKey: ['analytics', projectId, days],
    queryFn: () => api.get(`/analytics?projectId=${encodeURIComponent(projectId)}&days=${days}`, Analytics),
    enabled: projectId !== '',
  })
  return (
    <>
      <Title>Analytics</Title>
      <Result query={projects}>
        {(list) => (
          <div className="filters">
            <label htmlFor={id}>Project</label>
            <select id={id} value={projectId} onChange={({ target }) => setChosen(target.value)}>
              {list.map((project) => (
                <option key={project.id} value={project.id}>
                  {project.name}
                </option>
              ))}
            </select>
            <label htmlFor={`${id}-days`}>Days</label>
            <select id={`${id}-days`} value={days} onChange={({ target }) => setDays(Number(target.value))}>
              {[7, 30, 90].map((count) => (
                <option key={count}>{count}</option>
              ))}
            </select>
          </div>
        )}
      </Result>
      {projectId !== '' && <Result query={summary}>{(data) => <Summary {...data} />}</Result>}
    </>
  )
}

function Summary({ days, connects }: Analytics) {
  const busy = days.filter(({ opens, connects, failures }) => opens + connects + failures > 0)
  return (
    <>
      <Section title="From open to connected">
        <Funnel days={days} />
        <p className="hint">
          A wallet that connects on several chains counts once for each, such as an embedded wallet.
        </p>
      </Section>
      <Section title="Opens and connects by day">
        <Bars days={days} />
        <Table label="By day" columns={['Day (UTC)', 'Sites', 'Opens', 'Connects', 'Failures']}>
          {busy.toReversed().map(({ day, sites, opens, connects, failures }) => (
            <tr key={day}>
              <td>{day}</td>
              <td>{sites}</td>
              <td>{opens}</td>
              <td>{connects}</td>
              <td>{failures}</td>
            </tr>
          ))}
        </Table>
        {busy.length < days.length && <p className="hint">Days without events are left out.</p>}
      </Section>
      <Section title="Connects by wallet">
        {connects.length === 0 ? (
          <p>No connects yet.</p>
        ) : (
          <Table label="By wallet" columns={['Day (UTC)', 'Wallet', 'Chain', 'Outcome', 'Count']}>
            {connects.map(({ day, wallet, chain, outcome, count }) => (
              <tr key={`${day} ${wallet} ${chain} ${outcome}`}>
                <td>{day}</td>
                <td>{wallet}</td>
                <td>{chain ?? '–'}</td>
                <td>{outcome}</td>
                <td>{count}</td>
              </tr>
            ))}
          </Table>
        )}
      </Section>
    </>
  )
}

/** Counts events, not visitors: a visitor may open the modal more than once, and connect several chains at once. */
function Funnel({ days }: Pick<Analytics, 'days'>) {
  const sum = (count: (day: Analytics['days'][number]) => number) => days.reduce((all, day) => all + count(day), 0)
  const opens = sum((day) => day.opens)
  const steps = [
    ['Opened the modal', opens],
    ['Connected', sum(({ connects }) => connects)],
    ['Failed to connect', sum(({ failures }) => failures)],
  ] as const
  return (
    <dl className="figures">
      {steps.map(([name, count]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {count}
            {name !== 'Opened the modal' && opens > 0 && (
              <span className="hint"> {Math.round((100 * count) / opens)} per 100 opens</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const barWidth = 10
const chartHeight = 120

/** A bar per day. The table below has the numbers. */
function Bars({ days }: Pick<Analytics, 'days'>) {
  const highest = Math.max(1, ...days.map(({ opens, connects }) => Math.max(opens, connects)))
  const heightOf = (count: number) => (count / highest) * chartHeight
  return (
    <figure className="chart">
      <svg viewBox={`0 0 ${days.length * barWidth} ${chartHeight}`} preserveAspectRatio="none" aria-hidden="true">
        {days.map(({ day, opens, connects }, index) => (
          <g key={day}>
            <rect
              className="opens"
              x={index * barWidth + 1}
              y={chartHeight - heightOf(opens)}
              width={4}
              height={heightOf(opens)}
            />
            <rect
              className="connects"
              x={index * barWidth + 5}
              y={chartHeight - heightOf(connects)}
              width={4}
              height={heightOf(connects)}
            />
          </g>
        ))}
      </svg>
      <figcaption className="hint">Grey: opens. Green: connects. Highest bar: {highest}.</figcaption>
    </figure>
  )
}
