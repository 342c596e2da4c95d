import { Fragment, type ReactNode } from 'react'
import { classNames } from '../class-names'
import styles from './site-text.module.css'
import { visibleText } from './visible-text'

type SiteTextProps = {
  readonly text: string
  readonly className?: string | undefined
  /** A block with its own lines. */
  readonly lines?: boolean
}

/**
 * Text that a site, a wallet, a token or a chain wrote: all of it is visible, its direction ends with it, and it paints
 * nothing outside its box. Only this component draws such text.
 */
export function SiteText({ text, className, lines = false }: SiteTextProps) {
  const Box = lines ? 'p' : 'bdi'
  return (
    <Box className={classNames(styles.siteText, className)} data-lines={lines || undefined} data-site-text dir="auto">
      {visibleText(text)}
    </Box>
  )
}

/** Start of Unicode's private use area, which {@link visibleText} replaces in a site's text. */
const firstPlace = 0xe000

/**
 * A sentence of ours around texts of a site.
 *
 * @param of writes the sentence, with `site(text)` in place of each such text
 */
export function SiteSentence({ of }: { readonly of: (site: (text: string) => string) => string }): ReactNode {
  const texts: string[] = []
  const sentence = of((text) => String.fromCharCode(firstPlace + texts.push(text) - 1))
  return [...sentence.matchAll(/[\uE000-\uE0FF]|[^\uE000-\uE0FF]+/g)].map(({ 0: part, index }) => {
    const text = texts[part.charCodeAt(0) - firstPlace]
    return <Fragment key={index}>{text === undefined ? part : <SiteText text={text} />}</Fragment>
  })
}
