//! Events, contexts, enrolments and links.

use elfmem_core::event::ContextId;
use elfmem_core::{BlockId, Link};
use elfmem_store::{ContextQuery, CountedContext, Enrolment, Event, EventQuery, LinkQuery, ReadEvents, WriteEvents};

use super::Result;
use crate::transaction::SqliteTransaction;
use crate::{contexts, events, links};

impl ReadEvents for SqliteTransaction<'_> {
    fn list_events(&self, query: &EventQuery) -> Result<Vec<Event>> {
        events::list(self.connection, &self.scopes, query)
    }

    fn count_events(&self, query: &EventQuery) -> Result<u64> {
        events::count(self.connection, &self.scopes, query)
    }

    fn get_context(&self, id: &ContextId) -> Result<Option<CountedContext>> {
        contexts::get(self.connection, &self.scopes, id)
    }

    fn list_contexts(&self, query: &ContextQuery) -> Result<Vec<CountedContext>> {
        contexts::list(self.connection, &self.scopes, query)
    }

    fn count_contexts(&self, query: &ContextQuery) -> Result<Vec<(String, u64)>> {
        contexts::count(self.connection, &self.scopes, query)
    }

    fn get_enrolments(&self, blocks: &[BlockId]) -> Result<Vec<Enrolment>> {
        contexts::enrolments_of(self.connection, &self.scopes, blocks)
    }

    fn get_enrolled(&self, context: &ContextId) -> Result<Vec<Enrolment>> {
        contexts::enrolled(self.connection, &self.scopes, context)
    }

    fn list_links(&self, query: &LinkQuery) -> Result<Vec<Link>> {
        links::list(self.connection, &self.scopes, query)
    }
}

impl WriteEvents for SqliteTransaction<'_> {}
