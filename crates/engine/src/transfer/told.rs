//! Events, contexts and links of another memory, on their way in.

use elfmem_core::{Link, LinkEffect, LinkEnd, LinkKey};
use elfmem_store::{Context, Enrolment, Event};

use super::rows::Writer;
use crate::Result;

impl Writer<'_> {
    /// What became a block that is not here cannot be told of here.
    pub(super) fn event(&mut self, place: &str, event: &Event) -> Result<()> {
        let block_id = event.block_id.as_ref().map(|id| self.name(id));
        if let Some(block) = &block_id
            && !self.transaction.block_exists(block)?
        {
            self.result.skip("a block it needs is not here", || place.to_owned());
            return Ok(());
        }
        self.result.others += u64::from(self.transaction.insert_event(&Event { block_id, ..event.clone() })?);
        Ok(())
    }

    pub(super) fn context(&mut self, context: &Context) -> Result<()> {
        self.result.others += u64::from(self.transaction.insert_context(context)?);
        Ok(())
    }

    pub(super) fn enrolment(&mut self, place: &str, enrolment: &Enrolment) -> Result<()> {
        let block_id = self.name(&enrolment.block_id);
        if !self.transaction.block_exists(&block_id)? {
            self.result.skip("a block it needs is not here", || place.to_owned());
            return Ok(());
        }
        let known = self.transaction.get_enrolments(std::slice::from_ref(&block_id))?;
        if !known.iter().any(|known| known.context_id == enrolment.context_id) {
            self.transaction.put_enrolment(&Enrolment { block_id, ..enrolment.clone() })?;
            self.result.others += 1;
        }
        Ok(())
    }

    /// A link under the names that its blocks have here; none when one of them is not here.
    fn named(&mut self, place: &str, key: &LinkKey) -> Result<Option<LinkKey>> {
        let end = |end: &LinkEnd| match end {
            LinkEnd::Block(id) => LinkEnd::Block(self.name(id)),
            LinkEnd::Context(id) => LinkEnd::Context(id.clone()),
        };
        let key = LinkKey { from: end(&key.from), link_type: key.link_type, to: end(&key.to) };
        for block in [&key.from, &key.to].into_iter().filter_map(LinkEnd::block) {
            if !self.transaction.block_exists(block)? {
                self.result.skip("a block it needs is not here", || place.to_owned());
                return Ok(None);
            }
        }
        Ok(Some(key).filter(|key| key.from != key.to))
    }

    /// What it did to belief comes apart, with blocks that bring their belief along. The order among those that come in stays.
    pub(super) fn link(&mut self, place: &str, link: &Link) -> Result<()> {
        let Some(key) = self.named(place, &link.key)? else { return Ok(()) };
        if self.transaction.get_link(&key)?.is_none() {
            self.transaction.put_link(&Link { key, sequence: 0, ..link.clone() })?;
            self.result.others += 1;
        }
        Ok(())
    }

    pub(super) fn effect(&mut self, place: &str, effect: &LinkEffect) -> Result<()> {
        let block_id = self.name(&effect.block_id);
        if !self.made.contains(&block_id) {
            self.result.skip("its block was here already and keeps its own belief", || place.to_owned());
            return Ok(());
        }
        let Some(key) = self.named(place, &effect.key)? else { return Ok(()) };
        self.result.others += 1;
        Ok(self.transaction.put_effect(&LinkEffect { key, block_id, ..effect.clone() })?)
    }
}
