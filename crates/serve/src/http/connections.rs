//! The open connections: how many there may be, and which one makes room for another.
//!
//! A connection that has not sent a whole request yet costs its client nothing, so such connections must not keep others
//! out. When an address or the server has no place left, the connection that has waited longest for its client gives up
//! its place. If all of them are handling requests, a few reserved places are left, in which only the health check is
//! answered and everybody else is told to come back.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::Request;
use axum::http::header::CONNECTION;
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::sync::Notify;

use super::health;
use super::problem::Problem;
use crate::trace;

/// Number of reserved places.
const RESERVED: usize = 16;

/// The kind of place that a connection has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Admission {
    /// All requests are answered.
    Ordinary,
    /// Only the health check is answered.
    Reserved,
}

/// The open connections of a server.
#[derive(Debug)]
pub(super) struct Connections {
    most: usize,
    most_per_address: usize,
    table: Mutex<ConnectionTable>,
}

#[derive(Debug, Default)]
struct ConnectionTable {
    /// Counts connections and changes of their state.
    clock: u64,
    open: HashMap<u64, OpenConnection>,
}

#[derive(Debug)]
struct OpenConnection {
    address: IpAddr,
    place: Admission,
    /// Requests that are being handled.
    running: u32,
    /// When it began to wait for its client.
    waiting_since: u64,
    displaced: Arc<Notify>,
}

/// The place of a connection, which is free again when this is dropped.
#[derive(Debug)]
pub(super) struct Admitted(pub(super) Arc<ClientConnection>);

impl Drop for Admitted {
    fn drop(&mut self) {
        self.0.connections.lock().open.remove(&self.0.id);
    }
}

/// A connection, for the requests that come over it.
#[derive(Debug)]
pub(super) struct ClientConnection {
    connections: Arc<Connections>,
    id: u64,
    pub(super) place: Admission,
    displaced: Arc<Notify>,
}

impl Connections {
    pub(super) fn new(most: usize, most_per_address: usize) -> Arc<Self> {
        Arc::new(Self { most, most_per_address, table: Mutex::default() })
    }

    /// Gives a new connection a place, which may be that of another one. Returns `None` if there is none.
    pub(super) fn admit(self: &Arc<Self>, address: IpAddr) -> Option<Admitted> {
        let mut table = self.lock();
        let place = table.find_place(address, self.most, self.most_per_address)?;
        table.clock += 1;
        let (id, displaced) = (table.clock, Arc::new(Notify::new()));
        let open = OpenConnection { address, place, running: 0, waiting_since: id, displaced: Arc::clone(&displaced) };
        table.open.insert(id, open);
        Some(Admitted(Arc::new(ClientConnection { connections: Arc::clone(self), id, place, displaced })))
    }

    /// Ends those connections that have waited longest, because the system has no room for another. Returns false if
    /// none waits.
    pub(super) fn displace_oldest(&self, most: usize) -> bool {
        let mut table = self.lock();
        (0..most).take_while(|_| table.displace(|_| true)).count() > 0
    }

    fn lock(&self) -> MutexGuard<'_, ConnectionTable> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ConnectionTable {
    fn find_place(&mut self, address: IpAddr, most: usize, most_per_address: usize) -> Option<Admission> {
        let mut per_address: HashMap<IpAddr, usize> = HashMap::new();
        for open in self.open.values().filter(|open| open.place == Admission::Ordinary) {
            *per_address.entry(open.address).or_default() += 1;
        }
        let is_ordinary = |open: &OpenConnection| open.place == Admission::Ordinary;
        let has_room = if per_address.get(&address).is_some_and(|count| *count >= most_per_address) {
            self.displace(|open| is_ordinary(open) && open.address == address)
        } else if per_address.values().sum::<usize>() >= most {
            // From whoever has most of them and waits with one.
            let mut addresses: Vec<(IpAddr, usize)> = per_address.into_iter().collect();
            addresses.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
            addresses.iter().any(|(from, _)| self.displace(|open| is_ordinary(open) && open.address == *from))
        } else {
            true
        };
        if has_room {
            return Some(Admission::Ordinary);
        }
        let is_reserved = |open: &OpenConnection| open.place == Admission::Reserved;
        let reserved = self.open.values().filter(|open| is_reserved(open)).count();
        (reserved < RESERVED || self.displace(is_reserved)).then_some(Admission::Reserved)
    }

    /// Ends the connection among the matching ones that has waited longest for its client. Returns false if none waits.
    fn displace(&mut self, matches: impl Fn(&OpenConnection) -> bool) -> bool {
        let waiting = self.open.iter().filter(|(_, open)| open.running == 0 && matches(open));
        let Some(id) = waiting.min_by_key(|(_, open)| open.waiting_since).map(|(id, _)| *id) else { return false };
        if let Some(open) = self.open.remove(&id) {
            trace::displaced();
            open.displaced.notify_one();
        }
        true
    }
}

impl ClientConnection {
    /// Resolves when the connection has lost its place.
    pub(super) async fn displaced(&self) {
        self.displaced.notified().await;
    }

    /// Keeps the place of the connection until the result is dropped.
    pub(super) fn run(self: &Arc<Self>) -> ConnectionRequest {
        if let Some(open) = self.connections.lock().open.get_mut(&self.id) {
            open.running += 1;
        }
        ConnectionRequest(Arc::clone(self))
    }
}

/// A request of a connection that is being handled.
#[derive(Debug)]
pub(super) struct ConnectionRequest(Arc<ClientConnection>);

impl Drop for ConnectionRequest {
    fn drop(&mut self) {
        let mut table = self.0.connections.lock();
        table.clock += 1;
        let now = table.clock;
        if let Some(open) = table.open.get_mut(&self.0.id) {
            open.running = open.running.saturating_sub(1);
            open.waiting_since = now;
        }
    }
}

/// Middleware that answers only the health check in a reserved place.
pub(super) async fn keep_reserve(request: Request, next: Next) -> Response {
    let place = request.extensions().get::<Arc<ClientConnection>>().map(|connection| connection.place);
    if place != Some(Admission::Reserved) {
        return next.run(request).await;
    }
    let mut response = if request.uri().path() == health::ROUTE {
        next.run(request).await
    } else {
        Problem::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "CrowdedError",
            "All connections are in use.",
            "Ask again in a second, and send several requests over one connection.",
        )
        .later(1)
        .into_response()
    };
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);
    const THERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 7));

    fn is_open(connections: &Connections, connection: &Admitted) -> bool {
        connections.lock().open.contains_key(&connection.0.id)
    }

    #[test]
    fn a_new_connection_takes_the_place_of_the_one_that_waited_longest() {
        let connections = Connections::new(3, 3);
        let all: Vec<_> = (0..3).map(|_| connections.admit(HERE).unwrap()).collect();
        // The first one handles a request, the second one did so after the third had come.
        let _running = all[0].0.run();
        drop(all[1].0.run());
        let new = connections.admit(HERE).unwrap();
        assert_eq!(new.0.place, Admission::Ordinary);
        let left: Vec<bool> = all.iter().map(|connection| is_open(&connections, connection)).collect();
        assert_eq!(left, [true, true, false]);
    }

    #[test]
    fn an_address_makes_room_for_itself_and_then_for_others() {
        let connections = Connections::new(4, 3);
        let here: Vec<_> = (0..3).map(|_| connections.admit(HERE).unwrap()).collect();
        let there = connections.admit(THERE).unwrap();
        let more = connections.admit(HERE).unwrap();
        assert!(!is_open(&connections, &here[0]) && is_open(&connections, &there), "its own oldest gives way");
        let other = connections.admit(THERE).unwrap();
        assert!(!is_open(&connections, &here[1]), "that of whoever has most");
        assert!([&here[2], &there, &more, &other].into_iter().all(|connection| is_open(&connections, connection)));
    }

    #[test]
    fn reserved_places_are_left_when_all_others_work() {
        let connections = Connections::new(2, 2);
        let open: Vec<_> = (0..2).map(|_| connections.admit(HERE).unwrap()).collect();
        let busy: Vec<_> = open.iter().map(|connection| connection.0.run()).collect();
        let reserved: Vec<_> = (0..RESERVED).map(|_| connections.admit(HERE).unwrap()).collect();
        assert!(reserved.iter().all(|connection| connection.0.place == Admission::Reserved));
        let another = connections.admit(THERE).unwrap();
        assert!(!is_open(&connections, &reserved[0]) && another.0.place == Admission::Reserved);
        let working: Vec<_> = reserved[1..].iter().map(|connection| connection.0.run()).collect();
        let last = another.0.run();
        assert!(connections.admit(THERE).is_none(), "nobody waits");
        drop((busy, working, last));
        drop((open, another, reserved));
        assert!(connections.lock().open.is_empty());
    }
}
