import { useState } from 'react'
import { Button } from '../parts/Button'
import unseen from '../parts/unseen.module.css'
import styles from './code.module.css'
import { highlight } from './highlight'

export type SourceFile = { readonly path: string; readonly source: string }

/** Files that run on this page, as they are. Folded on narrow screens. */
export function Code({ title, files }: { readonly title: string; readonly files: readonly SourceFile[] }) {
  const [isOpen] = useState(() => window.matchMedia('(min-width: 900px)').matches)
  return (
    <details className={styles.code} open={isOpen}>
      <summary>
        Code<span className={unseen.unseen}>: {title}</span>
      </summary>
      <div className={styles.files}>
        {files.map((file) => (
          <File key={file.path} {...file} />
        ))}
      </div>
    </details>
  )
}

function File({ path, source }: SourceFile) {
  const [isCopied, setCopied] = useState(false)
  return (
    <figure>
      <figcaption>
        <span>{path}</span>
        <Button tone="quiet" onPress={() => navigator.clipboard.writeText(source).then(() => setCopied(true))}>
          {isCopied ? 'Copied' : 'Copy'}
          <span className={unseen.unseen}> {path}</span>
        </Button>
      </figcaption>
      <pre>
        <code>
          {highlight(source.trimEnd()).map(({ kind, text, start }) => (
            <span key={start} data-kind={kind}>
              {text}
            </span>
          ))}
        </code>
      </pre>
    </figure>
  )
}
