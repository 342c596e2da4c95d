import { defaultFeatures } from '@postern/protocol'
import { Button, SubmitButton } from '@postern/ui/button'
import { Checkbox } from '@postern/ui/checkbox'
import { useCopy } from '@postern/ui/copy'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import * as z from 'zod/mini'
import { changesOf } from '../changes'
import { Confirmed, Failure, Field, Result, Section, TextArea, Title } from '../components'
import { OriginTest, Project, ScriptTag } from '../schemas'
import { useSession } from '../session'
import { LookFields } from './look-fields'
import { filledTexts, MailTextFields } from './mail-text-fields'

export function ProjectPage() {
  const { id = '' } = useParams()
  const { api, me } = useSession()
  const project = useQuery({
    queryKey: ['projects', id],
    queryFn: () => api.get(`/projects/${encodeURIComponent(id)}`, Project),
  })
  return (
    <Result query={project} title="Project">
      {(found) => (
        <>
          <Title>{found.name}</Title>
          <p className="hint">
            Project id <code>{found.id}</code>
          </p>
          <Snippet project={found} />
          <TestOrigin id={found.id} />
          {/* A new form for each stored state. */}
          {me.role === 'admin' && <Settings key={found.updatedAt} project={found} />}
        </>
      )}
    </Result>
  )
}

function Snippet({ project }: { readonly project: Project }) {
  const { api } = useSession()
  const tag = useQuery({ queryKey: ['script-tag'], queryFn: () => api.get('/script-tag', ScriptTag) })
  return (
    <Section title="Add it to a page">
      <Result query={tag}>{(found) => <SnippetText project={project} tag={found} />}</Result>
    </Section>
  )
}

function SnippetText({ project, tag }: { readonly project: Project; readonly tag: ScriptTag }) {
  const pin = tag.integrity === null ? '' : ` integrity="${tag.integrity}" crossorigin`
  const text = `<script src="${tag.src}"${pin} async
  data-project-id="${project.id}" data-networks="ethereum base solana bitcoin"></script>
<postern-button></postern-button>`
  const { copied, copy } = useCopy('Select the text and copy it.')
  return (
    <>
      {tag.integrity === null && (
        <p className="hint">
          For development only: this gateway’s build is not a release, so the tag has no hash. If the host is taken
          over, such a tag runs the attacker’s script as the page’s own.
        </p>
      )}
      {/* Scrolls with the keyboard only if it can be focused. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must take the keyboard's focus (WCAG 2.1.1) */}
      <pre className="snippet" tabIndex={0}>
        {text}
      </pre>
      <div className="actions">
        <Button tone="secondary" onPress={() => copy(text)}>
          {copied ? 'Copied' : 'Copy'}
        </Button>
      </div>
    </>
  )
}

function TestOrigin({ id }: { readonly id: string }) {
  const { api } = useSession()
  const [origin, setOrigin] = useState('')
  const test = useMutation({
    mutationFn: () => api.send('POST', `/projects/${encodeURIComponent(id)}/test-origin`, OriginTest, { origin }),
  })
  return (
    <Section title="Test an origin">
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          test.mutate()
        }}
      >
        <Field label="Origin or URL" value={origin} onChange={setOrigin} placeholder="https://app.example.com" />
        <p role="status">
          {test.data !== undefined &&
            (test.data.allowed
              ? `${test.data.origin} is allowed by ${test.data.rule}`
              : `${test.data.origin} is not allowed. Add it to the allowed origins.`)}
        </p>
        <Failure error={test.error} />
        <SubmitButton busy={test.isPending}>Test</SubmitButton>
      </form>
    </Section>
  )
}

const flags = Object.entries(defaultFeatures).flatMap(([name, value]) =>
  name !== 'socials' && typeof value === 'boolean' ? [name] : [],
)

const mailFields = [
  ['sender', 'Sender', 'A name. The address stays the gateway’s own.'],
  ['replyTo', 'Address for replies', 'Empty: replies go to the gateway’s address.'],
  ['brand', 'Brand', 'Above the heading.'],
  ['color', 'Color', 'Of the brand and of buttons, such as #0d756d.'],
  ['footer', 'Last line', 'Such as how to reach your support.'],
] as const

type FlagState = 'default' | 'on' | 'off'

function Settings({ project }: { readonly project: Project }) {
  const { api } = useSession()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const path = `/projects/${encodeURIComponent(project.id)}`
  const [name, setName] = useState(project.name)
  const [origins, setOrigins] = useState(project.allowedOrigins.join('\n'))
  const [defaultAncestors, setDefaultAncestors] = useState(project.defaultAncestors)
  const [walletConnect, setWalletConnect] = useState(project.walletConnect ?? '')
  const [chains, setChains] = useState(project.signInChains?.join('\n') ?? '')
  const [features, setFeatures] = useState<Readonly<Record<string, unknown>>>(project.features)
  const [look, setLook] = useState(project.look)
  const [mail, setMail] = useState(project.mail)
  const [mailTexts, setMailTexts] = useState(project.mailTexts)
  const [analytics, setAnalytics] = useState(project.analytics)
  const [analyticsDays, setAnalyticsDays] = useState(project.analyticsDays)

  const save = useMutation({
    mutationFn: () =>
      api.send(
        'PATCH',
        path,
        Project,
        changesOf(project, {
          name,
          allowedOrigins: linesOf(origins),
          defaultAncestors,
          walletConnect: walletConnect.trim() === '' ? null : walletConnect.trim(),
          signInChains: linesOf(chains).length === 0 ? null : linesOf(chains),
          features,
          look,
          mail,
          mailTexts: filledTexts(mailTexts),
          analytics,
          analyticsDays,
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['projects'] }),
  })
  const remove = useMutation({
    mutationFn: () => api.send('DELETE', path, z.unknown()),
    onSuccess: async () => {
      await navigate('/projects')
      queries.removeQueries({ queryKey: ['projects'] })
    },
  })

  const stateOf = (flag: string): FlagState =>
    features[flag] === undefined ? 'default' : features[flag] === true ? 'on' : 'off'
  const setFlag = (flag: string, state: string) => {
    const { [flag]: _, ...rest } = features
    setFeatures(state === 'default' ? rest : { ...rest, [flag]: state === 'on' })
  }

  return (
    <Section title="Settings">
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Field label="Name" value={name} onChange={setName} />
        <TextArea
          label="Allowed origins"
          value={origins}
          onChange={setOrigins}
          hint="One a line: https://app.example.com, or https://*.example.com for one label."
        />
        <Checkbox checked={defaultAncestors} onChange={setDefaultAncestors}>
          Allow localhost, preview hosts and tunnels. Anyone can publish such a page: not for a live project
        </Checkbox>
        <Field
          label="WalletConnect project id"
          value={walletConnect}
          onChange={setWalletConnect}
          hint="Empty: WalletConnect is not offered."
        />
        <TextArea
          label="Networks for sign-in with wallet"
          value={chains}
          onChange={setChains}
          hint="One a line, such as eip155:1. Empty: all that the gateway knows."
        />
        <fieldset className="flags">
          <legend>Features</legend>
          {flags.map((flag) => (
            <label key={flag} className="flag">
              <span>{flag}</span>
              <select value={stateOf(flag)} onChange={({ target }) => setFlag(flag, target.value)}>
                <option value="default">As the dapp sets</option>
                <option value="on">On</option>
                <option value="off">Off</option>
              </select>
            </label>
          ))}
        </fieldset>
        <LookFields look={look} onChange={setLook} />
        <fieldset className="flags">
          <legend>Emails</legend>
          {mailFields.map(([field, label, hint]) => (
            <Field
              key={field}
              label={label}
              hint={hint}
              value={mail[field] ?? ''}
              onChange={(value) => setMail({ ...mail, [field]: value.trim() === '' ? null : value })}
            />
          ))}
          <MailTextFields texts={mailTexts} onChange={setMailTexts} />
        </fieldset>
        <fieldset className="flags">
          <legend>Analytics</legend>
          <Checkbox checked={analytics.enabled} onChange={(enabled) => setAnalytics({ ...analytics, enabled })}>
            Store events
          </Checkbox>
          <Checkbox checked={analytics.consent} onChange={(consent) => setAnalytics({ ...analytics, consent })}>
            Ask the visitor first
          </Checkbox>
          <Checkbox checked={analytics.addresses} onChange={(addresses) => setAnalytics({ ...analytics, addresses })}>
            Store addresses
          </Checkbox>
          <Field
            label="Days to keep events"
            hint="Empty: as the gateway is set."
            value={analyticsDays === null ? '' : String(analyticsDays)}
            onChange={(days) => setAnalyticsDays(/^\d+$/.test(days) ? Number(days) : null)}
          />
        </fieldset>
        <Failure error={save.error ?? remove.error} />
        <div className="actions">
          <SubmitButton busy={save.isPending}>Save</SubmitButton>
          <Confirmed
            name="Delete project"
            question="Its pages lose the modal at once, and its stored events are deleted."
            busy={remove.isPending}
            onConfirm={() => remove.mutate()}
          />
        </div>
      </form>
    </Section>
  )
}

function linesOf(text: string): string[] {
  return text.split(/\s+/).filter((line) => line !== '')
}
